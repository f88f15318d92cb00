// The one module of the views. In a notebook it is a widget of anywidget's kind; a plain page imports `mount`.
import { mountAws } from "./aws/mount";
import { mountStepper } from "./stepper/mount";

export { mountAws, mountStepper };
