// The roles of administrators side by side, by area.
import { CONSOLE_ROLES, type ConsoleRole } from '../../../management/operations/console-roles'
import { type AreaRight, ROLE_AREAS, type RoleArea, rightIn } from '../../../management/operations/role-areas'

type ComparedArea = { area: RoleArea; rights: { role: ConsoleRole; right: AreaRight }[] }

export const comparedAreas = (): ComparedArea[] =>
  ROLE_AREAS.map((area) => ({ area, rights: CONSOLE_ROLES.map((role) => ({ role, right: rightIn(area, role) })) }))
