/** The server's clock, learnt from its status: codes expire by it, not by this device's. */
let offset = 0

/** `now`: the server's, ms; `askedAt`: this device's when it was asked. */
export function setServerClock(now: number, askedAt: number): void {
  offset = now - (askedAt + Date.now()) / 2
}

export function serverNow(): number {
  return Date.now() + offset
}
