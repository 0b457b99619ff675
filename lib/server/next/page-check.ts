// Answers for a page of Next's that could not be read: 503 while that lasts, then the way back to it.
import { inboxOf, runtimeAt } from './demo'
import { toResponse } from './message'
import { NEXT_PAGES } from './page-paths'
import { reportFailure } from './runtime'
import { unavailable } from './unavailable'

export async function checkPage(request: Request): Promise<Response> {
  const address = new URL(request.url)
  const page = NEXT_PAGES.find((path) => path === address.searchParams.get('at')) ?? '/'
  try {
    const runtime = await runtimeAt(address, Object.fromEntries(request.headers))
    if (page === '/dev/outbox') await inboxOf(runtime, {})
    return new Response(null, { status: 303, headers: { location: page, 'cache-control': 'no-store' } })
  } catch (error) {
    reportFailure(error)
    return toResponse(unavailable('page'))
  }
}
