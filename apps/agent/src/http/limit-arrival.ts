import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Ends a request whose body is not whole after `withinMs`, whether it was answered or not: each holds a connection,
 * and there are only so many. `refuse` answers the visitor when nothing has been answered yet.
 */
export function limitArrival(req: IncomingMessage, res: ServerResponse, withinMs: number, refuse: () => void): void {
  if (Number(req.headers['content-length'] ?? 0) === 0 && req.headers['transfer-encoding'] === undefined) return
  const timer = setTimeout(() => {
    if (res.headersSent) return void req.destroy()
    res.setHeader('connection', 'close')
    refuse()
  }, withinMs)
  const stop = () => clearTimeout(timer)
  req.once('end', stop)
  req.once('close', stop)
}
