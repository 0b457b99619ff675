// The renderer with the components and texts of every screen: a fifth of all code to load. The first page loads it, or the
// server soon after its start (lib/node/boot.ts), so that no start waits for it.
import { lazy } from '../kernel/lazy'
import type { PageRenderer } from './respond'

export const prepareRenderer = lazy(() => import('./render'))

export const renderPage: PageRenderer = async (view) => (await prepareRenderer()).renderPage(view)
