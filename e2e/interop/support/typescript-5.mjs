// For `node --import`: gives a package that needs the compiler's API, which TypeScript 7 has no more, the version that has it.
import { register } from 'node:module'

const hook =
  "export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context)"

register(`data:text/javascript,${encodeURIComponent(hook)}`)
