-- SPDX-License-Identifier: Apache-2.0
-- Neovim 0.11 or later: copy this file to ~/.config/nvim/lsp/, and add vim.lsp.enable('garden_gate') to init.lua.
return {
  cmd = { 'garden-gate', 'lsp' },
  filetypes = { 'yaml' },
  root_markers = { '.garden-gate.yaml', '.git' },
}
