/**
 * The first situation of each page of the console, opened once more in the other language, in the layout and the
 * colours that the quick tier left out, under the same checks. The other situations are in the whole tier.
 */
import { it } from 'vitest'
import { findFirstOfPages, remainingLook } from '../stack/screens/look.ts'
import { shareVisitor } from '../stack/screens/share-visitor.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const visit = shareVisitor()
const firsts = findFirstOfPages(consoleStates)
const rows = consoleStates
  .map((state, row) => [state.name, state, remainingLook(row)] as const)
  .filter(([, state]) => firsts.has(state))

it.concurrent.for(rows)(
  'the screen “%s” shows no fault in the other language either',
  async ([, state, look], { expect }) => {
    expect(await visit(state, look)).toEqual([])
  },
)
