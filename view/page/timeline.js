// The bar of time: play, pause, single steps, restart, speed, and a slider over the frames.

import {icon, make} from './element.js';

const SPEEDS = [[0.1, '1/10 ×'], [0.25, '¼ ×'], [0.5, '½ ×'], [1, '1 ×'], [2, '2 ×'], [4, '4 ×'], [0, 'fastest']];

export class Timeline {
  // ask: {play(on), step(by), seek(frame), restart(), speed(factor)}
  constructor(element, ask) {
    this.ask = ask, this.state = null, this.held = false;
    this.play = make('button', {class: 'play', title: 'play or pause (space)', 'aria-label': 'play', onclick: () => this.toggle()}, icon('play'));
    this.slider = make('input', {type: 'range', min: 0, max: 1, value: 0, step: 1, 'aria-label': 'frame',
                                 oninput: () => (this.held = true, ask.seek(Number(this.slider.value))),
                                 onchange: () => (this.held = false, this.slider.blur())});
    this.there = make('div', {class: 'there'});
    this.clock = make('output');
    this.speed = make('select', {title: 'speed', 'aria-label': 'speed', onchange: () => ask.speed(Number(this.speed.value))},
                      ...SPEEDS.map(([value, text]) => make('option', {value}, text)));
    const button = (label, title, act) => make('button', {title, 'aria-label': label, class: 'long', onclick: act}, icon(label));
    element.replaceChildren(
        button('restart', 'from the start (R)', () => ask.restart()),
        button('back', 'one frame back (,)', () => ask.step(-1)), this.play,
        button('step', 'one frame on (.)', () => ask.step(1)),
        make('div', {class: 'track'}, this.there, this.slider), this.clock, this.speed);
  }

  toggle() {
    this.ask.play(!this.state?.running);
  }

  // {running, frame, time, first, last, planned, fps, speed}
  update(state) {
    this.state = state;
    const most = Math.max(state.planned, state.last, 1), part = (n) => `${100 * n / most}%`;
    const sign = state.running ? 'pause' : 'play';
    if (this.play.getAttribute('aria-label') !== sign || this.play.childElementCount === 0) this.play.replaceChildren(icon(sign));
    this.play.setAttribute('aria-label', sign);
    this.play.classList.toggle('on', state.running);
    this.slider.max = most;
    if (!this.held) this.slider.value = state.frame;
    this.there.style.left = part(state.first);
    this.there.style.width = part(state.last - state.first);
    this.clock.textContent = `${state.time.toFixed(2)} s · frame ${state.frame} / ${state.planned}`;
    if (document.activeElement !== this.speed) this.speed.value = String(state.speed);
  }
}
