import type { ServerProcess } from '@atoll/testkit'
import { createScriptedWallet } from '@atoll/testkit'

const wallets = 8
const durationMs = 5000

/** Whole sign-ins a second (code, signature, `login`, `activeLogin`), several wallets at once. */
export async function measureSignIns(server: ServerProcess): Promise<string> {
  const people = Array.from({ length: wallets }, () => createScriptedWallet())
  await Promise.all(people.map((wallet) => wallet.register(server.url)))
  await Promise.all(people.map((wallet) => wallet.signIn(server.url)))
  let done = 0
  const begun = performance.now()
  await Promise.all(
    people.map(async (wallet) => {
      while (performance.now() - begun < durationMs) {
        await wallet.signIn(server.url)
        done += 1
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  return `${(done / seconds).toFixed(0)} sign-ins a second (${done} in ${seconds.toFixed(1)} s by ${wallets} wallets, signing included)`
}
