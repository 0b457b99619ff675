// The routing before the functions: the routes of `.vercel/output/config.json`, as far as this project uses them.
export type Condition = { type: string; key: string; value?: string }
export type Route = {
  src?: string
  dest?: string
  handle?: string
  middlewarePath?: string
  has?: Condition[]
  missing?: Condition[]
}
export type Headers = Record<string, string | string[] | undefined>

/** The middleware that sees a request to that path. */
export function middlewareFor(routes: Route[], path: string, headers: Headers): string | undefined {
  return before(routes).find(
    (route) => route.middlewarePath !== undefined && matches(route, path) && applies(route, headers),
  )?.middlewarePath
}

export type Destination = { path: string; query: string }

/** Where an address with parameters leads. */
export function rewritten(routes: Route[], path: string): Destination | undefined {
  for (const { src, dest } of phase(routes, 'rewrite')) {
    const match = src === undefined || dest === undefined ? null : new RegExp(src).exec(path)
    // Requests of Next's own client for a part of a page are not made here.
    if (!match || !dest || dest.includes('$rscSuffix') || dest.endsWith('.rsc')) continue
    const filled = dest.replaceAll(/\$(\w+)/g, (_, name: string) => match.groups?.[name] ?? '')
    const [to = '', query = ''] = filled.split('?')
    return { path: to, query }
  }
  return undefined
}

const matches = ({ src }: Route, path: string): boolean => src !== undefined && new RegExp(src).test(path)

const applies = ({ has = [], missing = [] }: Route, headers: Headers): boolean =>
  has.every((one) => holds(one, headers)) && !missing.some((one) => holds(one, headers))

const holds = ({ key, value }: Condition, headers: Headers): boolean =>
  headers[key] !== undefined && (value === undefined || headers[key] === value)

const before = (routes: Route[]): Route[] => routes.slice(0, startOf(routes, 'filesystem'))

function phase(routes: Route[], name: string): Route[] {
  const rest = routes.slice(startOf(routes, name) + 1)
  const end = rest.findIndex(({ handle }) => handle !== undefined)
  return end < 0 ? rest : rest.slice(0, end)
}

const startOf = (routes: Route[], name: string): number => routes.findIndex(({ handle }) => handle === name)
