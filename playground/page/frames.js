// Frames that were shown, as they came, for going back. They may take MOST bytes: then every second of
// them is let go.

const MOST = 160e6;

export class Frames {
  constructor() {
    this.clear();
  }

  clear() {
    this.kept = new Map(), this.bytes = 0;
  }

  put(report, buffer) {
    if (this.kept.has(report.frame)) return;
    this.kept.set(report.frame, {report, buffer});
    this.bytes += buffer.byteLength;
    if (this.bytes > MOST) this.thin();
  }

  // The first, the last and those with meshes of shapes stay.
  thin() {
    const numbers = this.numbers(), last = numbers.at(-1);
    numbers.forEach((number, i) => {
      if (i % 2 === 0 || number === last) return;
      this.bytes -= this.kept.get(number).buffer.byteLength;
      this.kept.delete(number);
    });
  }

  numbers() {
    return [...this.kept.keys()].sort((a, b) => a - b);
  }

  get last() {
    return Math.max(0, ...this.kept.keys());
  }

  // The kept frame that is nearest to a number, or the next one on (by 1) or back (by -1).
  near(number) {
    return this.get(this.numbers().reduce((best, n) => (Math.abs(n - number) < Math.abs(best - number) ? n : best), Infinity));
  }

  beyond(number, by) {
    const all = this.numbers();
    return this.get(by > 0 ? all.find((n) => n > number) : all.findLast((n) => n < number));
  }

  get(number) {
    return this.kept.get(number) ?? null;
  }
}
