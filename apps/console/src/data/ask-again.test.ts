import { expect, test } from 'vitest'
import { askAgain } from './ask-again.ts'

/** A question that is answered when the test says so. */
function createQuestion() {
  const answers: (() => void)[] = []
  return {
    asked: () => answers.length,
    ask: () => new Promise<void>((resolve) => answers.push(resolve)),
    async answer() {
      answers.at(-1)?.()
      // Whoever waits for the answer runs before the next task.
      await new Promise((resolve) => setTimeout(resolve))
    },
  }
}

test('what changes during a question is asked for once after it, however often it changed', async () => {
  const question = createQuestion()
  const first = askAgain(['a'], question.ask)
  for (let n = 0; n < 100; n += 1) void askAgain(['a'], question.ask)
  expect(question.asked()).toBe(1)
  await question.answer()
  expect(question.asked()).toBe(2)
  await question.answer()
  await first
  expect(question.asked()).toBe(2)
})

test('one question does not wait for another, and a finished one is asked anew', async () => {
  const [one, other] = [createQuestion(), createQuestion()]
  const first = askAgain(['a', 1], one.ask)
  void askAgain(['a', 2], other.ask)
  expect([one.asked(), other.asked()]).toEqual([1, 1])
  await one.answer()
  await first
  void askAgain(['a', 1], one.ask)
  expect(one.asked()).toBe(2)
  await one.answer()
  await other.answer()
})

test('a question that fails does not keep the next one from being asked', async () => {
  await expect(askAgain(['b'], () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
  const question = createQuestion()
  void askAgain(['b'], question.ask)
  expect(question.asked()).toBe(1)
  await question.answer()
})
