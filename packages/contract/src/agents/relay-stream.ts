/** A stream of HTTP/2 that one visitor's connection goes through, as Node has it. */
interface RelayStream {
  write(chunk: unknown, ...more: unknown[]): boolean
}

/**
 * Has `stream` turn text into bytes before it writes. http writes its heads as text and lets a stream gather them with
 * what follows. Node 24 frees the text of such a mixed write before HTTP/2 has sent it, and the first bytes of a head
 * arrive as noise; of bytes it takes care. Both ends of the relay write heads.
 */
export function writeBytes(stream: RelayStream): void {
  const write = stream.write.bind(stream)
  stream.write = (chunk, ...more) => {
    const [encoding] = more
    const callback = more.find((one) => typeof one === 'function')
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk
    return write(bytes, callback)
  }
}
