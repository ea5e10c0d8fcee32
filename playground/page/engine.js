// The worker as the page sees it: promises, and frames by callback. A worker that is busy with a long
// step, or whose module has broken, is ended and another one begins: the page never waits for it.

const PATIENCE = 800; // ms

export class Engine {
  // module: a compiled WebAssembly.Module.
  constructor(module, {onFrame = () => {}, onEnd = () => {}} = {}) {
    this.module = module, this.onFrame = onFrame, this.onEnd = onEnd;
    this.number = 0, this.waiting = new Map();
    this.begin();
  }

  begin() {
    this.worker?.terminate();
    this.fresh = true; // no scene is loaded
    for (const {reject} of this.waiting.values()) reject(new Error('stopped'));
    this.waiting.clear();
    this.worker = new Worker(new URL('worker.js', import.meta.url), {type: 'module'});
    this.worker.onmessage = ({data}) => this.hear(data);
    this.worker.onerror = (event) => this.fail(event.message ?? 'the worker has stopped');
    this.ready = this.ask('open', {module: this.module});
    this.ready.catch(() => {});
  }

  hear({id, error, broken, ...answer}) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (answer.frame) this.onFrame(answer.frame, answer.report);
    if (broken) this.broken = true;
    if (error !== undefined && waiting) waiting.reject(new Error(error));
    else if (error !== undefined) this.onEnd(error);
    else waiting?.resolve(answer);
    if (id === 'end' && error === undefined) this.onEnd();
  }

  fail(error) {
    this.broken = true;
    this.onEnd(error);
  }

  ask(name, values = {}) {
    const id = ++this.number;
    this.worker.postMessage({...values, do: name, id});
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  // The page has drawn the frame.
  taken() {
    this.worker.postMessage({do: 'taken'});
  }

  // Pauses, by force where the worker does not answer.
  async halt() {
    const late = new Promise((resolve) => setTimeout(() => resolve(true), PATIENCE));
    const answered = this.ask('pause').then(() => false, () => false);
    if (this.broken || await Promise.race([late, answered])) {
      this.broken = false;
      this.begin();
    }
    await this.ready;
  }

  // What the scene is; its messages where it is wrong. Only then it can be started.
  async load(scene) {
    await this.halt();
    this.fresh = false;
    return (await this.ask('load', scene)).scene;
  }
}
