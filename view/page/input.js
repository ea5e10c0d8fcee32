// Mouse, touch and keys on the view: left drag turns, right or middle drag (or shift) moves, the
// wheel and two fingers zoom; arrow keys turn, with shift they move, + and - zoom, F fits, 0 goes
// back to the scene's camera, and 1, 3, 7 look from front, right and top.

const TURN = 0.006, WHEEL = 0.0012, KEY_TURN = 0.08, KEY_MOVE = 0.04, KEY_ZOOM = 1.12, CLICK = 4;

const middleOf = (a, b) => [(a.x + b.x) / 2, (a.y + b.y) / 2];
const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

class Pointers {
  constructor(view) {
    this.view = view, this.down = new Map(), this.travelled = 0;
  }

  start(event) {
    const {canvas} = this.view;
    canvas.setPointerCapture?.(event.pointerId);
    this.down.set(event.pointerId, {x: event.clientX, y: event.clientY});
    if (this.down.size === 1) this.travelled = 0;
    this.moves = event.button !== 0 || event.shiftKey || event.ctrlKey;
    canvas.focus({preventScroll: true});
  }

  move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) return;
    const now = {x: event.clientX, y: event.clientY}, {view} = this;
    const tall = view.canvas.clientHeight, dx = now.x - before.x, dy = now.y - before.y;
    this.travelled += Math.abs(dx) + Math.abs(dy);
    if (this.down.size === 1 && !this.moves) view.camera.orbit(dx * TURN, dy * TURN);
    else if (this.down.size === 1) view.camera.pan(dx / tall, dy / tall);
    else this.pinch(event.pointerId, before, now);
    this.down.set(event.pointerId, now);
    if (dx !== 0 || dy !== 0) view.cameraMoved();
  }

  pinch(id, before, now) {
    const other = [...this.down].find(([key]) => key !== id)[1], {camera, canvas} = this.view;
    const [x0, y0] = middleOf(before, other), [x1, y1] = middleOf(now, other);
    camera.pan((x1 - x0) / canvas.clientHeight, (y1 - y0) / canvas.clientHeight);
    camera.zoom(Math.min(2, Math.max(0.5, apart(before, other) / Math.max(apart(now, other), 1))));
  }

  // True for a click: a press that went nowhere.
  end(event) {
    const there = this.down.delete(event.pointerId);
    return there && this.down.size === 0 && this.travelled < CLICK && event.button === 0;
  }
}

const KEYS = {
  ArrowLeft: (v, move) => (move ? v.camera.pan(KEY_MOVE, 0) : v.camera.orbit(-KEY_TURN, 0)),
  ArrowRight: (v, move) => (move ? v.camera.pan(-KEY_MOVE, 0) : v.camera.orbit(KEY_TURN, 0)),
  ArrowUp: (v, move) => (move ? v.camera.pan(0, KEY_MOVE) : v.camera.orbit(0, KEY_TURN)),
  ArrowDown: (v, move) => (move ? v.camera.pan(0, -KEY_MOVE) : v.camera.orbit(0, -KEY_TURN)),
  '+': (v) => v.camera.zoom(1 / KEY_ZOOM),
  '=': (v) => v.camera.zoom(1 / KEY_ZOOM),
  '-': (v) => v.camera.zoom(KEY_ZOOM),
};
const LOOKS = {f: undefined, 1: [0, 0, 1], 3: [1, 0, 0], 7: [0, 1, 0.01]};

export function listen(view, keys) {
  const {canvas} = view, pointers = new Pointers(view);
  canvas.style.touchAction = 'none';
  if (canvas.tabIndex < 0) canvas.tabIndex = 0;
  canvas.addEventListener('pointerdown', (event) => pointers.start(event));
  canvas.addEventListener('pointermove', (event) => pointers.move(event));
  canvas.addEventListener('pointercancel', (event) => pointers.end(event));
  canvas.addEventListener('pointerup', (event) => {
    if (!pointers.end(event)) return;
    const box = canvas.getBoundingClientRect();
    const at = {x: event.clientX - box.left, y: event.clientY - box.top};
    canvas.dispatchEvent(new CustomEvent('pick', {detail: view.pick(at.x, at.y)}));
  });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('dblclick', () => view.fit());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    view.camera.zoom(Math.exp(Math.max(-300, Math.min(300, event.deltaY * lines)) * WHEEL));
    view.cameraMoved();
  }, {passive: false});
  keys.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (KEYS[event.key]) KEYS[event.key](view, event.shiftKey), view.cameraMoved();
    else if (event.key in LOOKS) view.fit(LOOKS[event.key]);
    else if (event.key === '0') view.resetCamera();
    else return;
    event.preventDefault();
  });
}
