import { lstat, readdir } from 'node:fs/promises'
import { hasErrorCode } from '../home/atomic-file.ts'

const slash = Buffer.from('/')

/**
 * Files below `path`, or the file itself, and their bytes. Names may be any bytes; links are neither followed nor
 * counted.
 */
export async function measureTree(path: string | Buffer): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 }
  try {
    const stats = await lstat(path)
    if (stats.isFile()) return { files: 1, bytes: stats.size }
    if (!stats.isDirectory()) return sum
    for (const name of await readdir(path, { encoding: 'buffer' })) {
      const { files, bytes } = await measureTree(Buffer.concat([Buffer.from(path), slash, name]))
      sum.files += files
      sum.bytes += bytes
    }
  } catch (error) {
    // Removed while we walked.
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
  return sum
}
