import { createFileRoute } from '@tanstack/react-router'
import { HelpPage } from '../../../help/HelpPage.tsx'

/** Public: no authentication. */
export const Route = createFileRoute('/help/{-$page}')({ component: Help })

function Help() {
  return <HelpPage name={Route.useParams().page} />
}
