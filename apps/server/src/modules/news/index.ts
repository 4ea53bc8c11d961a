/** Messages of the console to an account: the first steps. */
import type { Route } from '../../http/route.ts'
import type { NewsDeps } from './first-steps.ts'
import { newsRoutes } from './routes/news-routes.ts'

export interface News {
  routes: Route[]
}

export function createNews(deps: NewsDeps): News {
  return { routes: newsRoutes(deps) }
}
