import effect from "@effect/eslint-plugin"
import tseslint from "typescript-eslint"

export default [
  { ignores: ["**/node_modules/**", "**/dist/**", "**/*.tsbuildinfo"] },
  ...tseslint.configs.strict.map((config) => ({ ...config, files: ["**/*.ts", "**/*.mjs"] })),
  ...effect.configs.dprint.map((config) => ({ ...config, files: ["**/*.ts", "**/*.mjs"] })),
  {
    files: ["**/*.ts", "**/*.mjs"],
    rules: {
      "@effect/dprint": ["error", {
        config: {
          indentWidth: 2,
          lineWidth: 120,
          operatorPosition: "maintain",
          quoteStyle: "alwaysDouble",
          semiColons: "asi",
          trailingCommas: "never",
          "arrowFunction.useParentheses": "force"
        }
      }],
      "@typescript-eslint/array-type": ["error", { default: "generic", readonly: "generic" }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", {
        argsIgnorePattern: "^_",
        varsIgnorePattern: "^_",
        destructuredArrayIgnorePattern: "^_",
        ignoreRestSiblings: true
      }],
      "@typescript-eslint/no-extraneous-class": "off",
      "@typescript-eslint/no-empty-object-type": "off",
      "@typescript-eslint/no-invalid-void-type": "off",
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      "object-shorthand": "error"
    }
  },
  { files: ["**/*.mjs"], rules: { "no-console": "off" } },
  {
    // An SDK is loaded by its first request, with a dynamic import.
    files: ["packages/*/src/**", "packages/providers/*/src/**"],
    // The simulator is itself loaded by the command that runs it.
    ignores: ["packages/simulator/src/**"],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", {
        patterns: [{
          allowTypeImports: true,
          group: ["/openai", "@anthropic-ai/*", "@google/*", "@aws-sdk/*", "@smithy/*"],
          message: "Load it at the first request: await import(...)."
        }]
      }]
    }
  },
  { files: ["**/test/**"], rules: { "max-lines": "off" } }
]
