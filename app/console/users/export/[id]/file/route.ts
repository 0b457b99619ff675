import { serveExportedFile } from '../../../../../../lib/server/next/console/people-export'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ id: string }> }

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return serveExportedFile(request, (await params).id)
}
