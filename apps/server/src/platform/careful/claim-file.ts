import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { writeWholeFile } from '../whole-file.ts'
import type { Claim, Claims } from './claims.ts'

const ClaimText = z.object({
  deployment: z.string().min(1),
  number: z.int().min(0),
  series: z.int().min(0).optional(),
})

/** A deployment's claim as a file; it is there whole or not at all. `asError`: what is thrown for a damaged one. */
export function claimFile(path: string, asError: (message: string) => Error = (message) => new Error(message)): Claims {
  const read: Claims['read'] = async () => {
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
    const claim = readClaim(text)
    if (claim) return claim
    throw asError(`The file ${basename(path)} is damaged`)
  }
  return {
    read,
    async write(claim) {
      const before = await read()
      if (before?.deployment === claim.deployment && before.number >= claim.number) return
      await writeWholeFile(path, `${JSON.stringify(claim)}\n`)
    },
  }
}

/** Undefined for what is no claim. */
export function readClaim(text: string): Claim | undefined {
  try {
    return ClaimText.parse(JSON.parse(text))
  } catch {
    return undefined // the caller reports it as damaged
  }
}
