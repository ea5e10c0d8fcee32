// The scene's text, with what is wrong with it at its place: "NAME:LINE:COLUMN: error: ..." and the
// lines below it, as the program prints them.

import {make} from './element.js';

const WAIT = 350; // ms without a key before the text is checked

// [{line, column, kind, text, length, hint}], lines and columns from 1. Messages of settings and of
// other files have no place in this text: line 0.
export function readMessages(text, name) {
  const out = [];
  for (const row of text.split('\n')) {
    const start = /^(.*?):(\d+):(\d+): (error|warning): (.*)$/.exec(row), mark = /^\s*(\^~*)\s*$/.exec(row);
    if (start) {
      const here = start[1] === name;
      out.push({line: here ? Number(start[2]) : 0, column: Number(start[3]), kind: start[4], length: 1, hint: '',
                text: here ? start[5] : `${start[1]}: ${start[5]}`});
    } else if (mark && out.length > 0) out.at(-1).length = mark[1].length;
    else if (/^hint: /.test(row) && out.length > 0) out.at(-1).hint = row.slice(6);
  }
  if (out.length === 0 && text.trim() !== '') out.push({line: 0, column: 0, kind: 'error', text: text.trim(), length: 0, hint: ''});
  return out;
}

export class Editor {
  // ask: {check(text), use(text), save(text), reload()}
  constructor(element, ask) {
    this.ask = ask, this.name = '', this.messages = [], this.original = '';
    this.area = make('textarea', {spellcheck: false, wrap: 'off', 'aria-label': "the scene's text", autocomplete: 'off', autocapitalize: 'off'});
    this.gutter = make('div', {class: 'gutter'}), this.marks = make('pre', {class: 'marks', 'aria-hidden': 'true'});
    this.list = make('div', {id: 'messages', role: 'log'}, '');
    this.use = make('button', {title: 'show what stands here (Ctrl-Enter)', onclick: () => ask.use(this.area.value)}, 'run');
    this.save = make('button', {title: 'write it to the file (Ctrl-S)', onclick: () => ask.save(this.area.value)}, 'save');
    this.reload = make('button', {title: 'the file, as it is on the disk', onclick: () => ask.reload()}, 'reload');
    this.changed = make('span', {class: 'empty'});
    element.replaceChildren(make('div', {class: 'bar'}, this.changed, make('span', {class: 'space'}), this.reload, this.save, this.use),
                            make('div', {class: 'sheet'}, this.gutter, make('div', {class: 'text'}, this.marks, this.area)), this.list);
    this.area.addEventListener('input', () => this.edited());
    this.area.addEventListener('keydown', (event) => this.key(event));
  }

  key(event) {
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key === 's') event.preventDefault(), this.save.disabled || this.save.click();
    if (command && event.key === 'Enter') event.preventDefault(), this.use.disabled || this.use.click();
    if (event.key !== 'Tab' || event.shiftKey || command) return;
    event.preventDefault(); // Escape leaves the text for those who go by keys
    this.area.setRangeText('  ', this.area.selectionStart, this.area.selectionEnd, 'end');
    this.edited();
  }

  edited() {
    this.layout();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask.check(this.area.value), WAIT);
  }

  // {name, path, text, editable, file, outcome}. What is being written here is not thrown away.
  setScene({name, path, text, editable, file, outcome}) {
    const untouched = this.area.value === this.original || outcome === 'reloaded';
    this.name = path || name, this.original = text;
    if (untouched) this.area.value = text;
    this.area.readOnly = !editable;
    this.save.hidden = this.reload.hidden = !file;
    this.use.hidden = !editable;
    this.layout();
  }

  setMessages(text) {
    this.messages = readMessages(text, this.name);
    this.list.replaceChildren(...(this.messages.length === 0 ? [make('span', {class: 'right'}, 'nothing is wrong with it')] : this.messages.map((m) => this.message(m))));
    this.layout();
  }

  message(m) {
    const where = m.line > 0 ? `${m.line}:${m.column} ` : '';
    return make('button', {class: m.kind, onclick: () => this.go(m)}, make('b', {}, `${where}${m.kind}: `), m.text,
                m.hint ? make('div', {class: 'hint'}, m.hint) : null);
  }

  // Columns count characters, not UTF-16 units.
  offset(line, column) {
    const lines = this.area.value.split('\n'), text = lines[line - 1] ?? '';
    const before = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
    return before + [...text].slice(0, column - 1).join('').length;
  }

  go(m) {
    if (m.line === 0) return;
    const at = this.offset(m.line, m.column);
    this.area.focus();
    this.area.setSelectionRange(at, at + m.length);
    const sheet = this.area.closest('.sheet');
    sheet.scrollTop = Math.max(0, (m.line - 5) * 18), sheet.scrollLeft = Math.max(0, (m.column - 20) * 7.2);
  }

  // Line numbers, and waves under what is wrong.
  layout() {
    const {value} = this.area, lines = value.split('\n'), worst = new Map();
    for (const m of this.messages)
      if (m.line > 0 && worst.get(m.line) !== 'error') worst.set(m.line, m.kind);
    this.gutter.replaceChildren(...lines.flatMap((_, i) => [make('span', {class: worst.get(i + 1) ?? ''}, String(i + 1)), '\n']));
    this.area.style.height = `${lines.length * 18 + 16}px`;
    this.changed.textContent = value === this.original ? '' : 'changed';
    this.save.disabled = value === this.original;
    const places = this.messages.filter((m) => m.line > 0).map((m) => ({...m, at: this.offset(m.line, m.column)}))
                       .sort((a, b) => a.at - b.at);
    const parts = [];
    let end = 0;
    for (const {at, length, kind} of places) {
      if (at < end) continue;
      parts.push(value.slice(end, at), make('mark', {class: kind}, value.slice(at, at + Math.max(length, 1)) || ' '));
      end = at + Math.max(length, 1);
    }
    this.marks.replaceChildren(...parts, value.slice(end));
  }
}
