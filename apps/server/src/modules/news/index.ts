/** Messages of the console to an account: the first steps, and the events that no person asked for. */
import type { Route } from '../../http/route.ts'
import type { NewsDeps } from './first-steps.ts'
import { newsRoutes } from './routes/news-routes.ts'

export { type NewsEvent, recordNews } from './news-store.ts'

export interface News {
  routes: Route[]
}

export function createNews(deps: NewsDeps): News {
  return { routes: newsRoutes(deps) }
}
