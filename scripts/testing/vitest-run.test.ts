import { expect, it } from 'vitest'
import { addCounts, countsOf } from './vitest-run.ts'

const report = {
  success: true,
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 2,
  testResults: [{ status: 'passed', assertionResults: [{}] }],
}

it('counts what a report says; what is still to do was not run either', () => {
  expect(countsOf(report, 0)).toEqual({ passed: 5, failed: 0, skipped: 3 })
})

it('counts a file that could not be loaded as a failure', () => {
  const broken = { ...report, success: false, testResults: [{ status: 'failed', assertionResults: [] }] }
  expect(countsOf(broken, 1)).toMatchObject({ failed: 1 })
})

it('never calls a run that ended badly a success', () => {
  expect(countsOf(report, 1)).toMatchObject({ failed: 1 })
  expect(countsOf({ ...report, success: false }, 0)).toMatchObject({ failed: 1 })
})

it('adds up', () => {
  expect(addCounts({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({
    passed: 11,
    failed: 22,
    skipped: 33,
  })
})
