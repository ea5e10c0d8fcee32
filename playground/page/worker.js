// The simulation, off the page's own thread. Messages in: {do, id, ...}; out: {id, ...} as answers, and
// {frame, report} while it plays. A frame goes out only when the page has taken the one before: what
// the page cannot draw is dropped, and the run never waits.

import {Mote} from './module.js';

let mote, last = 0, fps = 30, playing = false, taken = true, meshes = true, due = 0, unsent = null, speed = 1, measured = [], timer;

// What probes have measured in frames that were dropped goes with the next one.
function send({probes, ...report}, id) {
  measured.push(...probes);
  unsent = taken || id !== undefined ? null : {...report, probes: []};
  if (unsent) return;
  taken = false;
  const frame = mote.message(meshes);
  postMessage({id, report: {...report, probes: measured}, frame}, [frame]);
  meshes = false, measured = [];
}

// One frame, no sooner than the scene's own pace has it.
function advance() {
  const now = performance.now(), wait = Math.max(due - now, 0);
  if (!playing || wait > 0) return playing && again(wait);
  due = speed > 0 ? Math.max(due + 1000 / (fps * speed), now) : now;
  const report = mote.step();
  if (report.frame >= last) playing = false;
  send({...report, playing}, playing ? undefined : 'end');
  again(0); // messages come first
}

function again(wait) {
  clearTimeout(timer);
  timer = setTimeout(() => run(() => void advance(), 'end'), wait);
}

const calls = {
  async open({module}) {
    mote = await Mote.open(module);
    return {};
  },
  load({name, text, settings}) {
    playing = false, unsent = null;
    const scene = mote.load(name, text, settings);
    last = scene.frames, fps = scene.fps;
    return {scene};
  },
  start({id}) {
    playing = false, meshes = true, measured = [];
    send({...mote.start(), playing}, id);
  },
  step({id}) {
    playing = false;
    send({...mote.step(), playing}, id);
  },
  play() {
    const idle = !playing;
    playing = true, due = performance.now();
    if (idle) again(0);
    return {};
  },
  // The page is to show where the world stands.
  pause({id}) {
    playing = false;
    if (unsent) return send({...unsent, playing}, id);
    return {};
  },
  speed({factor}) {
    speed = factor;
    return {};
  },
  meshes() {
    meshes = true;
    return {};
  },
  taken() {
    taken = true;
  },
  change({key, text}) {
    return mote.change(key, text);
  },
  pick({name, place}) {
    return {picked: mote.pick(name, place)};
  },
  picture({width, height}) {
    return {png: mote.picture(width, height)};
  },
  hash() {
    return {hash: mote.hash()};
  },
};

function run(work, id) {
  const fail = (error) => {
    playing = false;
    postMessage({id, error: error.message, broken: error instanceof WebAssembly.RuntimeError});
  };
  try {
    const answer = work();
    if (answer instanceof Promise) answer.then((value) => postMessage({id, ...value}), fail);
    else if (answer !== undefined) postMessage({id, ...answer});
  } catch (error) {
    fail(error);
  }
}

onmessage = ({data}) => run(() => calls[data.do](data), data.id);
