/** Counters of this process's vault, for its metrics. */
export interface VaultCounts {
  received(bytes: number): void
  sent(bytes: number): void
  answered(method: string, status: number): void
  scrubbed(bytes: number): void
  read(): {
    bytes: { received: number; sent: number; scrubbed: number }
    /** By method and status, such as `GET 200`. */
    answers: ReadonlyMap<string, number>
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'DELETE'])

export function createVaultCounts(): VaultCounts {
  const bytes = { received: 0, sent: 0, scrubbed: 0 }
  const answers = new Map<string, number>()
  return {
    received(count) {
      bytes.received += count
    },
    sent(count) {
      bytes.sent += count
    },
    scrubbed(count) {
      bytes.scrubbed += count
    },
    answered(method, status) {
      const key = `${methods.has(method) ? method : 'other'} ${status}`
      answers.set(key, (answers.get(key) ?? 0) + 1)
    },
    read: () => ({ bytes: { ...bytes }, answers }),
  }
}
