import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage } from '../pages/not-found/NotFoundPage.tsx'

export const Route = createRootRoute({ notFoundComponent: NotFoundPage })
