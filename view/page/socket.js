// The connection to the program: it comes back by itself after it was lost.

const FIRST = 300, LONGEST = 5000; // ms between two tries

export class Socket {
  // on: {frame(buffer), text(object), open(), lost()}
  constructor(address, on) {
    Object.assign(this, {address, on, wait: FIRST});
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('open', () => (this.wait = FIRST, this.on.open()));
    this.socket.addEventListener('close', () => this.again());
    this.socket.addEventListener('message', ({data}) => {
      if (typeof data === 'string') this.on.text(JSON.parse(data));
      else this.on.frame(data);
    });
  }

  again() {
    this.on.lost();
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST, this.wait * 1.6);
  }

  ask(what, more = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({do: what, ...more}));
  }
}
