// The renderer with the components and words of every screen: a fifth of everything there is to read. It is loaded by the
// first page, or soon after a start (lib/node/boot.ts), so that no start waits for it.
import { lazy } from '../kernel/lazy'
import type { PageRenderer } from './respond'

export const prepareRenderer = lazy(() => import('./render'))

export const renderPage: PageRenderer = async (view) => (await prepareRenderer()).renderPage(view)
