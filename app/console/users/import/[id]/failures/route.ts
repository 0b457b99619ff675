import { percentDecoded } from '../../../../../../lib/kernel/url'
import { serveFailures } from '../../../../../../lib/server/next/console/people-import'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ id: string }> }

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return serveFailures(request, percentDecoded((await params).id))
}
