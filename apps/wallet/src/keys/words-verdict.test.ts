import { describe, expect, it } from 'vitest'
import { judgeWords } from './words-verdict.ts'

const eleven = 'abandon '.repeat(11)

describe('words while they are typed', () => {
  it.each([
    ['', { kind: 'unfinished', count: 0 }],
    ['aban', { kind: 'unfinished', count: 1 }],
    ['abandon ability', { kind: 'unfinished', count: 2 }],
    [`${eleven}about`, { kind: 'ready' }],
    [`  ${eleven.toUpperCase()}\n About `, { kind: 'ready' }],
    [`${eleven}abandon`, { kind: 'wrong', fault: 'checksum' }],
    [`${eleven}about about`, { kind: 'wrong', fault: 'tooMany', count: 13 }],
  ])('%j are judged as %j', (text, verdict) => {
    expect(judgeWords(text)).toEqual(verdict)
  })

  it('names the wrong word, its place and what it may have been', () => {
    expect(judgeWords('abandon abandn abandon')).toEqual({
      kind: 'wrong',
      fault: 'unknown',
      word: 'abandn',
      position: 2,
      suggestions: ['abandon'],
    })
  })

  it('judges the last word only when it cannot grow into one of the list', () => {
    expect(judgeWords('abandon abo').kind).toBe('unfinished')
    expect(judgeWords('abandon abo ').kind).toBe('wrong')
    expect(judgeWords('abandon xq').kind).toBe('wrong')
  })
})
