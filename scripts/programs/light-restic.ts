/**
 * restic for tests, whose keys are quick to open. restic takes two seconds of a processor to make a key, as it measures
 * how much work fills half a second, and each later run does that work to open the repository: most of what tests of
 * backups computed. A copy of the program measures for a millisecond instead (`KDFTimeout` in restic's
 * internal/repository/key.go). Nothing else differs, and any restic opens what it makes, as each key says how it is
 * opened.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** As Go keeps durations, in ns, and other whole numbers. */
function wordOf(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

const measured = wordOf(500_000_000n)
const shorter = wordOf(1_000_000n)
/** `KDFMemory`, 60 MiB, which precedes it in 0.14; 0.18 has no other number like it. */
const before = wordOf(60n)

/** Puts such a copy of `program` at `target`; an equal one where that number is not found for certain. */
export function makeLightRestic(program: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  // Beside the target: it comes there by a rename.
  const work = mkdtempSync(`${target}.`)
  try {
    const copy = join(work, 'restic')
    cpSync(program, copy)
    const bytes = readFileSync(program)
    const at = findOnly(bytes, Buffer.concat([before, measured])) ?? findOnly(bytes, measured)
    if (at !== undefined) {
      shorter.copy(bytes, at)
      writeFileSync(copy, bytes)
    }
    renameSync(copy, target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Where the last eight bytes of `words` are that stand in `bytes` once. */
function findOnly(bytes: Buffer, words: Buffer): number | undefined {
  const at = bytes.indexOf(words)
  return at !== -1 && bytes.indexOf(words, at + 1) === -1 ? at + words.length - 8 : undefined
}
