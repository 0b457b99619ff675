import { serveFailures } from '../../../../../../lib/server/next/console/people-import'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ id: string }> }

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return serveFailures(request, (await params).id)
}
