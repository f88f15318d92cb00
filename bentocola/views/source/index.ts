// The one module of the views. In a notebook it is a widget of anywidget's kind; a plain page calls what mounts a view.
import { mountAws } from "./aws/mount";
import { mountStepper } from "./stepper/mount";
import { render } from "./widget";

export { mountAws, mountStepper };
export default { render };
