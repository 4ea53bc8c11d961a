import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '../../../home/HomePage.tsx'
import { homeSearch } from '../../../home/home-search.ts'

export const Route = createFileRoute('/_main/')({
  validateSearch: homeSearch,
  component: Home,
})

function Home() {
  return <HomePage user={Route.useSearch().user} />
}
