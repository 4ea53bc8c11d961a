import type { StaffPerson } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Link } from '@tanstack/react-router'
import { CellLines } from '../../kit/table/CellLines.tsx'

/** A customer of a row, with what the row is about below; leads to the customer's page. */
export function PersonLink({ person, second }: { person: StaffPerson; second?: string | null }) {
  return (
    <CellLines
      main={
        <Link to="/operator/{-$section}/{-$object}" params={{ section: 'customers', object: person.accountId }}>
          {displayName(person)}
        </Link>
      }
      second={second}
    />
  )
}
