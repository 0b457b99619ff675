import { expect, it } from 'vitest'
import { CONSOLE_ROLES } from './console-roles'
import { ROLE_AREAS, rightIn } from './role-areas'

it.each([
  ['owner', 'administrators', 'all'],
  ['admin', 'connections', 'read'],
  ['admin', 'users', 'all'],
  ['admin', 'administrators', 'read'],
  ['application_editor', 'applications', 'all'],
  ['application_editor', 'logs', 'none'],
  ['user_support', 'users', 'some'],
  ['user_support', 'applications', 'none'],
  ['auditor', 'users', 'read'],
] as const)('%s has of %s: %s', (role, area, right) => {
  expect(rightIn(area, role)).toBe(right)
})

it('an owner may something in each area, and an auditor changes nothing', () => {
  for (const area of ROLE_AREAS) {
    expect(rightIn(area, 'owner'), area).not.toBe('none')
    expect(['read', 'none'], area).toContain(rightIn(area, 'auditor'))
  }
  expect(CONSOLE_ROLES).toHaveLength(5)
})
