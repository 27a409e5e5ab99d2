// What assistants need beside the operations: changes that are shown first.
export { type AgentChange, type ChangePreview, carryOut, type PreviewedChange, previewChange } from './change.ts';
export { confirmLasts, maxConfirm } from './confirm.ts';
