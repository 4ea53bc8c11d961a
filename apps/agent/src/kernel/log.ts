/** Log lines on stderr: time, level, source, message. Never given a token, a password or a body. */
export interface Log {
  info(source: string, message: string): void
  warn(source: string, message: string): void
  error(source: string, message: string): void
}

/**
 * Writes `2026-11-21T10:15:00.000Z info link connected` to `stream`; control characters in a message become spaces.
 */
export function createLog(stream: { write(text: string): unknown } = process.stderr): Log {
  const write = (level: string) => (source: string, message: string) => {
    stream.write(`${new Date().toISOString()} ${level} ${source} ${oneLine(message)}\n`)
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** `text` with control characters as spaces, so that foreign text cannot forge a second log line. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

/** A caught value in one line, with its causes: `fetch failed: connect ECONNREFUSED 127.0.0.1:80`. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error))
  const code = 'code' in error ? String(error.code) : error.name
  const text = oneLine(error.message || code)
  return error.cause instanceof Error ? `${text}: ${describeError(error.cause)}` : text
}
