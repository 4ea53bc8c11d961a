/**
 * Interim answers of an instance (RFC 9110, 15.2). A visitor need not read them, and no back pressure slows the
 * instance, so unread ones would pile up here. Only few are passed on, and an instance that sends more than any program
 * would is no longer read.
 */
import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http'

/** 103 (Early Hints) that are passed on: one is usual, a cache before the program may add its own. */
const mostHints = 4
/** Of every kind. A program that says 102 (Processing) every ten seconds gets more than half an hour. */
const mostInterim = 256

/** Answers that a `100 Continue` went before, at whichever attempt. */
const continued = new WeakSet<ServerResponse>()

/** `onContinue`: the visitor was let send, now; `onTooMany`: what follows is not listened to. */
export function passInterim(
  upstream: ClientRequest,
  req: IncomingMessage,
  res: ServerResponse,
  { onContinue, onTooMany }: { onContinue: () => void; onTooMany: () => void },
): void {
  // RFC 9110, 15.2: a client of HTTP/1.0 knows none of it.
  const understands = req.httpVersion !== '1.0'
  let [seen, hints] = [0, 0]
  upstream.on('continue', () => {
    if (req.headers.expect === undefined || !understands || !isOpen(res) || continued.has(res)) return
    continued.add(res)
    res.writeContinue()
    onContinue()
  })
  upstream.on('information', ({ statusCode, headers }: InformationEvent) => {
    seen += 1
    // Answers that had already arrived are still parsed.
    if (seen > mostInterim) return seen === mostInterim + 1 ? onTooMany() : undefined
    if (statusCode !== 103 || !understands || hints >= mostHints || !isOpen(res)) return
    hints += 1
    writeHints(res, headers.link)
  })
}

function isOpen(res: ServerResponse): boolean {
  return !res.headersSent && !res.destroyed
}

/** The links alone: what else a hint may carry is for the answer. */
function writeHints(res: ServerResponse, link: string | string[] | undefined): void {
  const links = String(link ?? '').split(/,\s*(?=<)/)
  try {
    res.writeEarlyHints({ link: links })
  } catch (error) {
    // A link that Node does not write; a hint may be left out (RFC 8297, 2).
    if (!(error instanceof TypeError)) throw error
  }
}
