// `connections`: social and enterprise connections. None of their strategies exists here yet, so each is reported
// by name; a database that stands here is applied as one.
import { DATABASE } from '../../../connections/connection'
import { itemsOf, type Section } from '../context'
import { databases } from './databases'

export const connections: Section = {
  name: 'connections',
  plan(given, context) {
    for (const { value, path } of itemsOf(given, 'connections', 'name', context)) {
      if (value.strategy === DATABASE) databases.plan([value], context)
      else context.notApplied.push(`${path}: strategy ${String(value.strategy)}`)
    }
  },
  export: () => undefined,
}
