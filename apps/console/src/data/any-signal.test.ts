import { describe, expect, it } from 'vitest'
import { anySignal } from './any-signal.ts'

describe('a signal of several', () => {
  it('ends with the first that does, for its reason, and once', () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const any = anySignal([first.signal, second.signal])
    let ends = 0
    any.addEventListener('abort', () => {
      ends += 1
    })
    expect(any.aborted).toBe(false)
    second.abort('second')
    first.abort('first')
    expect(any.reason).toBe('second')
    expect(ends).toBe(1)
  })

  it('has ended when one of them had', () => {
    expect(anySignal([new AbortController().signal, AbortSignal.abort('gone')]).reason).toBe('gone')
  })
})
