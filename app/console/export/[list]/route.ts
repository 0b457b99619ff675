import { readColumns } from '../../../../lib/server/next/console/columns'
import { serveExport } from '../../../../lib/server/next/console/export'
import { type Listing, operationQuery, shownColumns } from '../../_parts/listing'
import { textOf } from '../../_parts/text-of'
import { LISTS } from '../lists'

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ list: string }> }

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { list: name } = await params
  return serveExport(name, new URL(request.url), async (console, requested) => {
    const list: Listing<never> | undefined = LISTS.find((each) => each.name === name)
    if (!list) return null
    const columns = shownColumns(list, await readColumns(name))
    return {
      operation: list.operation,
      query: operationQuery(list, requested, console.now),
      titles: ['ID', ...columns.map(({ title }) => title)],
      cells: (row) => [list.id(row as never), ...columns.map(({ cell }) => textOf(cell(row as never)))],
    }
  })
}
