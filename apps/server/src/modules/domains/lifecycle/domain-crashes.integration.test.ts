/** One row of the crash matrix; `domain-crashes.deep` has all of them. */
import { test } from 'vitest'
import { crashRows, useCrashMatrix } from '../testing/crash-matrix.ts'

const { killAnywhere, cutAnywhere } = useCrashMatrix()
const issuing = crashRows.filter(({ ask }) => ask === 'issue')

test.each(issuing)('killed anywhere in $what, a domain ends where it would have', killAnywhere)

test.each(issuing)('cut off from the database anywhere in $what, it ends where it would have', cutAnywhere)
