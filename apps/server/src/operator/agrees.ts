import { createInterface } from 'node:readline/promises'

/** Asks at the terminal; without one there is nobody to ask. */
export async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } finally {
    lines.close()
  }
}
