import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { type ProviderClaims, ProviderError } from './compute-provider.ts'

const Claim = z.object({ deployment: z.string().min(1), number: z.int().min(0) })

/** A deployment's claim as a file; it is there whole or not at all. */
export function claimFile(path: string): ProviderClaims {
  const read: ProviderClaims['read'] = async () => {
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
    const claim = Claim.safeParse(parseJson(text))
    if (claim.success) return claim.data
    throw new ProviderError(`The file ${basename(path)} beside the instances is damaged`, { retryable: true })
  }
  return {
    read,
    async write(claim) {
      const before = await read()
      if (before?.deployment === claim.deployment && before.number >= claim.number) return
      const draft = `${path}.${randomBytes(6).toString('hex')}.new`
      {
        await using file = await open(draft, 'wx', 0o600)
        await file.writeFile(`${JSON.stringify(claim)}\n`)
        await file.sync()
      }
      await rename(draft, path)
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // reported as damaged
  }
}
