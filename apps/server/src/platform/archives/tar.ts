/** Tar archives (POSIX.1-1988, ustar): files alone, named in ASCII of at most 100 characters. */
export interface TarredFile {
  name: string
  bytes: Uint8Array
  isExecutable?: boolean
}

const blockBytes = 512
const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`

/** The bytes of an archive of these files. The same files give the same bytes: no owner, no time. */
export function tarOf(files: readonly TarredFile[]): Buffer {
  const parts = files.flatMap(({ name, bytes, isExecutable = false }) => {
    const padding = Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes)
    return [headerOf(name, bytes.length, isExecutable), Buffer.from(bytes), padding]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)])
}

function headerOf(name: string, size: number, isExecutable: boolean): Buffer {
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0, 100, 'latin1')
  header.write(octal(isExecutable ? 0o755 : 0o644, 7), 100, 'latin1')
  header.write(octal(0, 7), 108, 'latin1')
  header.write(octal(0, 7), 116, 'latin1')
  header.write(octal(size, 11), 124, 'latin1')
  header.write(octal(0, 11), 136, 'latin1')
  // An ordinary file.
  header.write('0', 156, 'latin1')
  header.write('ustar\0', 257, 'latin1')
  header.write('00', 263, 'latin1')
  // As the sum is taken, its own field is eight spaces.
  header.write(' '.repeat(8), 148, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)} `, 148, 'latin1')
  return header
}
