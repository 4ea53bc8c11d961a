import { createFileRoute } from '@tanstack/react-router'
import { PageFailure } from '../../components/PageFailure.tsx'
import { HomePage } from '../../pages/home/HomePage.tsx'
import { homeSearch } from '../../pages/home/home-search.ts'

export const Route = createFileRoute('/_main/')({
  validateSearch: homeSearch,
  component: Home,
  errorComponent: PageFailure,
})

function Home() {
  return <HomePage user={Route.useSearch().user} />
}
