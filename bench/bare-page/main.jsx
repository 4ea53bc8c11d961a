/**
 * The baseline of the console's pages: React and the same router, built and served the same way, and nothing else.
 * `/login` shows a heading and a button; `/` asks for the clusters as the console does and shows their names.
 */
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const rootRoute = createRootRoute()

function SignIn() {
  return (
    <main>
      <h1>Sign in</h1>
      <button type="button">Copy</button>
    </main>
  )
}

function Home() {
  const clusters = home.useLoaderData()
  return (
    <main>
      <h1>Clusters</h1>
      {clusters.map(({ clusterId, name }) => (
        <article key={clusterId}>
          <h2>{name}</h2>
          <button type="button">Stop</button>
        </article>
      ))}
    </main>
  )
}

const signIn = createRoute({ getParentRoute: () => rootRoute, path: '/login', component: SignIn })
const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: async () => {
    const [{ userid, token }] = JSON.parse(localStorage.getItem('cloud_aList'))
    const answer = await fetch('/v1/resource/initNew', { method: 'POST', headers: { userid, token } })
    return (await answer.json()).data.resourceData
  },
  component: Home,
})

const router = createRouter({ routeTree: rootRoute.addChildren([signIn, home]) })
createRoot(document.getElementById('root')).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
