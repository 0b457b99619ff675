// Programs of the system that tests use where they are installed (.ci/run installs them).
import { execFileSync } from 'node:child_process'

export function hasTool(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
