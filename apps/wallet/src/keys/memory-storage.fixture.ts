import type { TextStorage } from './vault-file.ts'

/** localStorage for tests, with its content open to read. */
export function memoryStorage(): TextStorage & { content: Map<string, string> } {
  const content = new Map<string, string>()
  return {
    content,
    getItem: (key) => content.get(key) ?? null,
    setItem: (key, value) => void content.set(key, value),
    removeItem: (key) => void content.delete(key),
  }
}
