import type { Duplex } from 'node:stream'

/**
 * Has `stream` turn text into bytes before it writes. http writes its heads as text and lets a stream gather them with
 * what follows. Node 24 frees the text of such a mixed write before HTTP/2 has sent it, and the first bytes of a head
 * arrive as noise; of bytes it takes care.
 */
export function writeBytes(stream: Duplex): void {
  const write = stream.write.bind(stream)
  stream.write = (chunk: unknown, ...more: unknown[]): boolean => {
    const [encoding] = more
    const callback = more.find((one) => typeof one === 'function') as (() => void) | undefined
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk
    return write(bytes, callback)
  }
}
